/** Questions to whoever sits at the terminal. They go to standard error: standard output is for results. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { ReadStream, WriteStream } from "node:tty";
import { CommandFailed, EXIT } from "./failure.ts";
import type { Person } from "./service/service-cli.ts";

export function atTerminal(stdin: ReadStream, stderr: WriteStream): Person {
  return {
    present: stdin.isTTY && stderr.isTTY,
    ask: (question) => answerOf(createInterface({ input: stdin, output: stderr }), question),
    async askSecret(question) {
      stderr.write(question);
      // The editor's echo goes here; as a terminal it still understands backspace.
      const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
      try {
        return await answerOf(createInterface({ input: stdin, output: nowhere, terminal: true }), "");
      } finally {
        stderr.write("\n");
      }
    },
    readAll: () => text(stdin),
  };
}

/** Rejects with CommandFailed where Ctrl-C or Ctrl-D come instead. */
function answerOf(lines: Interface, question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    lines.once("close", () => reject(new CommandFailed(EXIT.interrupted, "Nothing was changed.")));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}
