/**
 * What a shell has to be told so that it asks this program what may come next. Pure. What comes back is never evaluated
 * by the shell: names of services are in it.
 */
export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The hidden command that answers, one suggestion a line, its description after a tab. */
export const COMPLETE = "complete";

/** @param program the path of the program, so that it is found under an alias too */
export function completionScript(shell: Shell, program: string): string {
  const ask = `'${program.replaceAll("'", "'\\''")}' ${COMPLETE} --`;
  switch (shell) {
    case "bash":
      return bash(ask);
    case "zsh":
      return zsh(ask);
    case "fish":
      return fish(ask);
  }
}

function bash(ask: string): string {
  return `# source <(howdah completion bash)
_howdah() {
  local value description
  COMPREPLY=()
  while IFS=$'\\t' read -r value description; do
    COMPREPLY+=("$value")
  done < <(${ask} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _howdah howdah`;
}

function zsh(ask: string): string {
  return `#compdef howdah
# source <(howdah completion zsh), after compinit
_howdah() {
  local value description
  local -a values
  while IFS=$'\\t' read -r value description; do
    values+=("\${value//:/\\\\:}\${description:+:$description}")
  done < <(${ask} "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#values )); then _describe -t values howdah values; else _files; fi
}
compdef _howdah howdah`;
}

function fish(ask: string): string {
  return `# howdah completion fish | source
function __howdah_complete
  set -l typed (commandline -opc) (commandline -ct)
  set -e typed[1]
  ${ask} $typed 2>/dev/null
end
complete -c howdah -f -a '(__howdah_complete)'`;
}
