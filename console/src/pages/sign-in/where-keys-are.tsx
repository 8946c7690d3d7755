/** For somebody who has neither link nor key. The commands are for the machine that Howdah runs on. */
import { Text } from "@mantine/core";
import { Copy } from "../../ui/copy.tsx";
import classes from "./sign-in-page.module.css";

const WAYS = [
  ["A link that signs you in once", "howdah console"],
  ["The first key of the installation", "cat ~/.howdah/credentials.json"],
  ["A new key, for somebody else or another role", "howdah keys create"],
] as const;

export function WhereKeysAre() {
  return (
    <section aria-label="Where keys are">
      <Text size="sm" c="dimmed" mb="xs">
        On the machine that runs Howdah:
      </Text>
      <dl className={classes["hint"]}>
        {WAYS.map(([what, command]) => (
          <div key={command}>
            <dt>{what}</dt>
            <dd className={classes["command"]}>
              {command}
              <Copy text={command} what={`the command ${command}`} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
