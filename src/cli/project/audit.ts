import { type Command, InvalidArgumentError } from "commander";
import { addExamples } from "../examples.ts";
import type { OpenServiceCli } from "../service/service-cli.ts";

interface Options {
  readonly since?: string;
  readonly until?: string;
}

export function addAudit(program: Command, open: OpenServiceCli): void {
  addExamples(
    program.command("audit").description("print who did what from where, as JSON lines, oldest first"),
    ["audit > audit.jsonl", "audit --since 24h", "audit --since 2026-11-01 --until 2026-12-01T00:00:00Z"],
  )
    .option("--since <time>", "a time, a date, or how long ago: 30m, 24h, 7d", parseTime)
    .option("--until <time>", "before that", parseTime)
    .action(async (options: Options) => {
      const cli = await open();
      for await (const lines of cli.client.exportAudit(options)) cli.stdout.write(lines);
    });
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

function parseTime(text: string): string {
  const [, amount, unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const time =
    amount === undefined ? new Date(text) : new Date(Date.now() - Number(amount) * (UNIT_MS[unit] ?? 0));
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError("It has to be such as 2026-11-21T09:30:00Z, 2026-11-21, 30m, 24h or 7d.");
  return time.toISOString();
}
