import path from "node:path";
import type Docker from "dockerode";
import { ensureBaseImage } from "./base-image.ts";
import { followEngine, hasImage } from "./engine-stream.ts";
import { digestInputs, packInputs, readImageInputs, serviceImageReference } from "./image-inputs.ts";
import type { Report } from "./progress.ts";

export interface ServiceImage {
  readonly reference: string;
  /** SHA-256, hexadecimal, of everything below image/. */
  readonly digestOfInputs: string;
}

export interface ServiceImageOptions {
  /** Folder for the log of the tools that make the base. */
  readonly logFolder: string;
  /** Folder with the Dockerfile; the project's own unless a test says otherwise. */
  readonly imageFolder?: string;
}

const PROJECT_IMAGE_FOLDER = path.join(import.meta.dirname, "../../image");
/** Some packages are quiet for long while they set themselves up. */
const BUILD_SILENCE_MS = 5 * 60_000;
const BUILD_TIMEOUT_MS = 30 * 60_000;

/**
 * The image that every container of Howdah runs, built only where its inputs have changed: the tag is made of them.
 * Two processes that build at once make the same image, and the later tag stands.
 * Throws EngineFailed, CommandFailed or BaseImageUnavailable.
 */
export async function ensureServiceImage(
  engine: Docker,
  options: ServiceImageOptions,
  report: Report,
): Promise<ServiceImage> {
  const inputs = await readImageInputs(options.imageFolder ?? PROJECT_IMAGE_FOLDER);
  const digestOfInputs = digestInputs(inputs);
  const reference = serviceImageReference(digestOfInputs);
  if (await hasImage(engine, reference)) return { reference, digestOfInputs };

  const base = await ensureBaseImage(engine, path.join(options.logFolder, "base-image.log"), report);
  const build = (abortSignal: AbortSignal) =>
    engine.buildImage(packInputs(inputs), {
      t: reference,
      buildargs: { BASE: base },
      labels: { "org.howdah.inputs": digestOfInputs },
      // The engine's own network may not reach a mirror that the machine does reach.
      networkmode: "host",
      rm: true,
      forcerm: true,
      abortSignal,
    });
  await followEngine(build, {
    report: describeBuild(report),
    silenceMs: BUILD_SILENCE_MS,
    deadlineMs: BUILD_TIMEOUT_MS,
  });
  return { reference, digestOfInputs };
}

/** Puts the step that the build is at before each of its lines. */
export function describeBuild(report: Report): Report {
  let step = "";
  return (line) => {
    const [, position] = /^Step (\d+\/\d+) ?:/i.exec(line) ?? [];
    if (position !== undefined) step = `step ${position}`;
    report(step === "" || position !== undefined ? line : `${step}  ${line}`);
  };
}
