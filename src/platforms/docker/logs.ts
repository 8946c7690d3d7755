/**
 * PostgreSQL's log, read where it lies: by a program of the image, inside a member that runs, or in a container that lives
 * for as long as the reading, with the member's volume and nothing else.
 */
import { addAbortSignal, PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type Docker from "dockerode";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { LogQuery, MemberLog, MemberLogs } from "../../lib/member-logs.ts";
import { hardened, remove, statusCode } from "./container.ts";
import { type Context, serviceFilters, serviceLabels } from "./context.ts";
import { holdsData, LABEL } from "./names.ts";
import { runIn } from "./run-in.ts";

/** More than the program gives itself. */
const TIMEOUT_MS = 12_000;
const READ_LOGS = ["/usr/local/lib/howdah/read-logs"];
const READER_MEMORY_BYTES = 256 * 1024 ** 2;
const READER_PIDS = 16;
const READER_ROLE = "log-reader";
/** What a shell says of a program that is not there: the member comes from before there were logs. */
const NO_SUCH_PROGRAM = new Set([126, 127]);

const Position = Type.Tuple([Type.String(), Type.Integer({ minimum: 0 })]);
const MaybePosition = Type.Union([Position, Type.Null()]);
const MaybeText = Type.Union([Type.String(), Type.Null()]);

const Answer = Type.Object({
  top: MaybePosition,
  next: MaybePosition,
  entries: Type.Array(
    Type.Object({
      at: Type.Number(),
      severity: Type.String(),
      message: Type.String(),
      pid: Type.Union([Type.Integer(), Type.Null()]),
      user: MaybeText,
      database: MaybeText,
      position: Position,
    }),
  ),
});

const NO_LOG = { entries: [], top: null, next: null } as const;

interface Member {
  readonly ordinal: number;
  /** null: it does not run, or answers nothing. */
  readonly running: Docker.Container | null;
  readonly volume: string;
}

/** Throws where the engine or a member does not answer in time. */
export async function readLogs(context: Context, serviceId: string, query: LogQuery): Promise<MemberLogs> {
  const members = await membersOf(context, serviceId);
  const asked = members.filter(({ ordinal }) => query.ordinal === null || ordinal === query.ordinal);
  const logs = await Promise.all(asked.map((member) => readMember(context, serviceId, member, query)));
  return { ordinals: members.map(({ ordinal }) => ordinal), logs };
}

async function membersOf(context: Context, serviceId: string): Promise<Member[]> {
  const { docker } = context;
  const filters = serviceFilters(context, serviceId);
  const [containers, { Volumes: volumes }] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listVolumes({ filters }),
  ]);
  const ofMembers = volumes.filter(({ Labels }) => holdsData(Labels));
  return ofMembers
    .map(({ Name: volume, Labels }) => {
      const ordinal = Labels[LABEL.ordinal];
      const running = containers.find(
        ({ Labels, State }) => holdsData(Labels) && Labels[LABEL.ordinal] === ordinal && State === "running",
      );
      return { ordinal: Number(ordinal), running: running ? docker.getContainer(running.Id) : null, volume };
    })
    .toSorted((a, b) => a.ordinal - b.ordinal);
}

async function readMember(
  context: Context,
  serviceId: string,
  { ordinal, running, volume }: Member,
  query: LogQuery,
): Promise<MemberLog> {
  const question = JSON.stringify({
    before: query.before.get(ordinal) ?? null,
    since: query.sinceMs,
    until: query.untilMs,
    search: query.search,
    severities: query.severities,
    limit: query.limit,
  });
  const inside = running && (await askInside(running, question));
  const answer = inside ?? (await askBeside(context, serviceId, volume, question));
  return { ordinal, ...parse(answer) };
}

/** null where the member has ended meanwhile. */
async function askInside(container: Docker.Container, question: string): Promise<string | null> {
  try {
    const { exitCode, output } = await runIn(container, READ_LOGS, TIMEOUT_MS, question);
    if (exitCode === 0) return output;
    if (exitCode !== null && NO_SUCH_PROGRAM.has(exitCode)) return JSON.stringify(NO_LOG);
  } catch (error) {
    const status = statusCode(error);
    if (status !== 404 && status !== 409) throw error;
  }
  return null;
}

async function askBeside(
  context: Context,
  serviceId: string,
  volume: string,
  question: string,
): Promise<string> {
  await removeLeftovers(context, serviceId);
  const container = await createReader(context, serviceId, volume);
  try {
    return await runReader(container, question);
  } finally {
    await remove(container);
  }
}

/** Of a control plane that was killed in the middle of a reading. */
async function removeLeftovers(context: Context, serviceId: string): Promise<void> {
  const { label } = serviceFilters(context, serviceId);
  const filters = { label: [...label, `${LABEL.role}=${READER_ROLE}`] };
  const readers = await context.docker.listContainers({ all: true, filters });
  const old = readers.filter(({ Created }) => Created * 1000 < Date.now() - 2 * TIMEOUT_MS);
  await Promise.all(old.map(({ Id }) => remove(context.docker.getContainer(Id))));
}

async function createReader(context: Context, serviceId: string, volume: string): Promise<Docker.Container> {
  return context.docker.createContainer({
    Image: context.image,
    Cmd: READ_LOGS,
    Labels: { ...serviceLabels(context, serviceId), [LABEL.role]: READER_ROLE },
    NetworkDisabled: true,
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    HostConfig: hardened({
      Binds: [`${volume}:/data:ro`],
      RestartPolicy: { Name: "no" },
      Memory: READER_MEMORY_BYTES,
      PidsLimit: READER_PIDS,
      NetworkMode: "none",
      LogConfig: { Type: "none", Config: {} },
    }),
    abortSignal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

async function runReader(container: Docker.Container, question: string): Promise<string> {
  const abortSignal = AbortSignal.timeout(TIMEOUT_MS);
  const stream = await container.attach({
    stream: true,
    hijack: true,
    stdin: true,
    stdout: true,
    abortSignal,
  });
  const output = addAbortSignal(abortSignal, new PassThrough());
  container.modem.demuxStream(stream, output, output);
  stream.on("end", () => output.end());
  stream.on("error", (error) => output.destroy(error));
  await container.start({ abortSignal });
  stream.end(question);
  return text(output);
}

function parse(output: string): Omit<MemberLog, "ordinal"> {
  const answer: unknown = JSON.parse(output);
  if (!Value.Check(Answer, answer)) throw new Error("the member's log was not read as expected");
  const entries = answer.entries.map(({ at, ...entry }) => ({ atMs: at, ...entry }));
  return { ...answer, entries };
}
