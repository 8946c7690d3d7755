/** Everything that the button leads to, before it is pressed. */
import { Collapse, Group, Text, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { ChevronRight } from "lucide-react";
import { amount } from "../../ui/amount.ts";
import { Copy } from "../../ui/copy.tsx";
import { cpu, memory, serviceType } from "../../ui/format.ts";
import classes from "./create.module.css";
import { commandLine, type Draft, type SizeChoice, typeOf } from "./draft.ts";
import { nodesInWords } from "./replica-plans.ts";

export interface WhatWillHappenProps {
  readonly draft: Draft;
  readonly size: SizeChoice;
  readonly region: string;
}

export function WhatWillHappen({ draft, size, region }: WhatWillHappenProps) {
  const { name, addons, replicas, synchronous } = draft;
  const members = 1 + replicas;
  const each = size.cpuMillis === null ? "a share of the CPU" : cpu(size.cpuMillis);
  const all = size.cpuMillis === null ? each : cpu(members * size.cpuMillis);
  const { max_connections: connections, shared_buffers: buffers } = size.settings;
  const rows: readonly (readonly [string, string])[] = [
    [
      "Service",
      `${name.trim() || "…"}, ${serviceType(typeOf(addons))}${typeOf(addons) === "POSTGRES" ? " 17" : " on PostgreSQL 17"}`,
    ],
    ["Where", region],
    ["Nodes", nodesInWords(replicas, synchronous)],
    ["Each node", `${each}, ${memory(size.memoryGbs)}`],
    ...(members > 1 ? [["In all", `${all}, ${memory(members * size.memoryGbs)}`] as const] : []),
    ["Gives", `${connections} connections, ${amount(buffers)} of shared buffers`],
    ["Takes", takes(replicas)],
    ["Stays", STAYS[size.id === "shared" ? "shared" : "sized"]],
    ["Can change", "Name, size, replicas, environment and parameters, while it runs."],
    ...(synchronous > 0 ? [["Two steps", twoSteps(replicas, synchronous)] as const] : []),
  ];
  return (
    <>
      <dl className={classes["summary"]}>
        {rows.map(([title, text]) => (
          <div key={title} style={{ display: "contents" }}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <OnTheCommandLine text={commandLine(draft)} />
    </>
  );
}

const STAYS = {
  sized: "Region, add-ons and endpoint. A size is never changed back to shared.",
  shared: "Region, add-ons and endpoint.",
};

/** As bench/results has them. */
function takes(replicas: number): string {
  const first = "About 5 seconds until it takes connections";
  return replicas === 0 ? `${first}.` : `${first}, and about as long again for replicas.`;
}

function twoSteps(replicas: number, synchronous: number): string {
  const made = replicas === 1 ? "1 replica" : `${replicas} replicas`;
  const then = synchronous === 1 ? "one is made synchronous" : `${synchronous} are made synchronous`;
  return `It is created with ${made}; right after that, ${then}.`;
}

function OnTheCommandLine({ text }: { text: string }) {
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <div style={{ marginTop: 14 }}>
      <UnstyledButton onClick={toggle} aria-expanded={opened}>
        <Group gap={4}>
          <ChevronRight
            size={14}
            aria-hidden
            style={{ transform: opened ? "rotate(90deg)" : "none", flex: "none" }}
          />
          <Text size="xs" c="dimmed">
            The same on the command line
          </Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={opened}>
        <Group gap={4} mt={6} align="flex-start" wrap="nowrap">
          <pre className={classes["command"]} style={{ flex: 1 }}>
            {text}
          </pre>
          <Copy text={text} what="the commands" />
        </Group>
      </Collapse>
    </div>
  );
}
