import { findProgram } from "./run-command.ts";

/** What to type, by the package manager that the machine has. */
const INSTALL_COMMANDS: ReadonlyArray<readonly [program: string, command: string]> = [
  ["apt-get", "sudo apt-get update && sudo apt-get install --yes docker.io"],
  ["dnf", "sudo dnf install -y podman && sudo systemctl enable --now podman.socket"],
  ["zypper", "sudo zypper install -y docker && sudo systemctl enable --now docker"],
  ["pacman", "sudo pacman -S --noconfirm docker && sudo systemctl enable --now docker"],
  ["apk", "sudo apk add docker && sudo rc-service docker start"],
];

/** The exact command that helps a user who may not install an engine, and the way to do without one. */
export async function installAdvice(refusals: string): Promise<string> {
  return `${await remedy(refusals)}\nOr see Howdah without any engine, its databases simulated:\n  npm start -- --platform simulated`;
}

async function remedy(refusals: string): Promise<string> {
  if (refusals.includes("permission denied")) {
    return 'One is there, but this user may not use it. Type, then log in again:\n  sudo usermod --append --groups docker "$(id -un)"';
  }
  if ((await findProgram("dockerd")) !== undefined) {
    return "Docker is installed but not running. Type:\n  sudo systemctl start docker";
  }
  for (const [program, command] of INSTALL_COMMANDS) {
    if ((await findProgram(program)) !== undefined) return `Type:\n  ${command}`;
  }
  return "Install Docker or Podman and start it.";
}
