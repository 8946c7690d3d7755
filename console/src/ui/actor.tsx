/** Who did something: Howdah by itself, the key that is signed in, or another key. */
import { Tooltip } from "@mantine/core";
import { useAccount } from "../session/client.tsx";

const SHOWN_OF_A_KEY = 6;

/** @param actor as events and the audit have it: `howdah`, or `key:` and the public half of a key */
export function Actor({ actor, name, by = "by " }: { actor: string; name?: string; by?: string }) {
  const { apiKey } = useAccount();
  if (!actor.startsWith("key:")) return <span>{by}Howdah</span>;
  const publicKey = actor.slice("key:".length);
  const own = apiKey.split("_")[1] === publicKey;
  const who = own ? "you" : (name ?? `key ${publicKey.slice(0, SHOWN_OF_A_KEY)}…`);
  return (
    <Tooltip label={`API key ${publicKey}`}>
      <span>
        {by}
        {who}
      </span>
    </Tooltip>
  );
}
