/** psql out of the service image, for machines that have none: in a container that lives as long as the session. */
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import type { ReadStream, WriteStream } from "node:tty";
import type Docker from "dockerode";
import { pack } from "tar-stream";
import { CommandFailed, EXIT } from "../failure.ts";
import { renderEntry } from "../passwords/pgpass.ts";
import { type PsqlSession, sessionVariables } from "./session.ts";

export interface ContainerPsqlOptions {
  readonly docker: Docker;
  readonly labels: Readonly<Record<string, string>>;
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly stderr: WriteStream;
}

/** Any version of it will do. */
const IMAGES = "howdah/service";
const PSQL_MAJOR = 17;
const OWNER = { uid: 999, gid: 999 };
/** A volume without a name, so that it goes with the container. */
const FOLDER = "/session";
const LAST_OUTPUT_MS = 2_000;

/** Hands the terminal over, and returns psql's exit code. Throws CommandFailed where the image was never built. */
export async function runContainerPsql(
  options: ContainerPsqlOptions,
  session: PsqlSession,
  args: readonly string[],
): Promise<number> {
  const terminal = options.stdin.isTTY && options.stdout.isTTY;
  const container = await createContainer(options, session, args, terminal);
  let giveBack = () => undefined;
  try {
    await container.putArchive(await sessionFiles(session), { path: FOLDER });
    const stream = await container.attach({
      stream: true,
      hijack: true,
      stdin: true,
      stdout: true,
      stderr: true,
    });
    const ended = container.wait({ condition: "next-exit" });
    giveBack = connect(container, stream, options, terminal);
    await container.start();
    if (terminal) await resize(container, options.stdout);
    const { StatusCode }: { StatusCode: number } = await ended;
    await finished(stream, { writable: false, signal: AbortSignal.timeout(LAST_OUTPUT_MS) }).catch(
      () => undefined,
    );
    return StatusCode;
  } finally {
    giveBack();
    // The engine does so itself, unless it never came to a start.
    await container.remove({ force: true, v: true }).catch(() => undefined);
  }
}

async function createContainer(
  { docker, labels }: ContainerPsqlOptions,
  session: PsqlSession,
  args: readonly string[],
  terminal: boolean,
): Promise<Docker.Container> {
  const files = {
    passwordFile: session.password === null ? null : `${FOLDER}/pgpass`,
    authorityFile: session.authorityFile === null ? null : `${FOLDER}/authority.crt`,
  };
  const variables = {
    ...sessionVariables(session, files, PSQL_MAJOR),
    PSQL_HISTORY: "/dev/null",
    ...(terminal ? { TERM: "xterm-256color" } : {}),
  };
  return docker.createContainer({
    Image: await newestImage(docker),
    Cmd: ["psql", ...args],
    Env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    Labels: { ...labels },
    Volumes: { [FOLDER]: {} },
    Tty: terminal,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    HostConfig: {
      // The endpoint may be on this machine alone.
      NetworkMode: "host",
      AutoRemove: true,
      Init: true,
      ReadonlyRootfs: true,
      CapDrop: ["ALL"],
      SecurityOpt: ["no-new-privileges"],
      Tmpfs: { "/tmp": "rw,nosuid,nodev,noexec,size=64m,mode=1777" },
    },
  });
}

async function newestImage(docker: Docker): Promise<string> {
  const images = await docker.listImages({ filters: { reference: [IMAGES] } });
  const [newest] = images.toSorted((a, b) => b.Created - a.Created);
  if (newest) return newest.Id;
  throw new CommandFailed(
    EXIT.unavailable,
    "The engine does not have the service image; npm start builds it.",
  );
}

/** Secrets go into the container's volume: its arguments and environment are shown to anyone who asks the engine. */
async function sessionFiles({ place, role, password, authorityFile }: PsqlSession): Promise<Buffer> {
  const archive = pack();
  if (password !== null)
    archive.entry({ name: "pgpass", mode: 0o600, ...OWNER }, renderEntry(place, role, password));
  if (authorityFile !== null)
    archive.entry({ name: "authority.crt", mode: 0o644, ...OWNER }, await readFile(authorityFile, "utf8"));
  archive.finalize();
  return buffer(archive);
}

/** Leads the terminal's streams to the container and back. Returns what undoes that. */
function connect(
  container: Docker.Container,
  stream: NodeJS.ReadWriteStream,
  { stdin, stdout, stderr }: ContainerPsqlOptions,
  terminal: boolean,
): () => undefined {
  const onResize = () => void resize(container, stdout);
  // Without a terminal of its own, psql hears of Ctrl-C from nobody else.
  const onInterrupt = () => void container.kill({ signal: "SIGINT" }).catch(() => undefined);
  if (terminal) {
    stdin.setRawMode(true);
    stdout.on("resize", onResize);
    stream.pipe(stdout, { end: false });
  } else container.modem.demuxStream(stream, stdout, stderr);
  process.on("SIGINT", onInterrupt);
  stdin.pipe(stream);
  return () => {
    process.off("SIGINT", onInterrupt);
    stdin.unpipe(stream);
    stdin.pause();
    if (!terminal) return;
    stdin.setRawMode(false);
    stdout.off("resize", onResize);
  };
}

async function resize(container: Docker.Container, { rows, columns }: WriteStream): Promise<void> {
  await container.resize({ h: rows, w: columns }).catch(() => undefined);
}
