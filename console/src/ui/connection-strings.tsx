/** How to connect to a service, in the form that somebody needs, copied with one click. */
import { ActionIcon, Button, Group, SegmentedControl, Stack, Tabs, Text, Tooltip } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { Check, CopyIcon, Download, Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { type Connection, FORMS, type FormId, formOf, isFormId } from "./connection-forms.ts";
import classes from "./connection-strings.module.css";
import { type ReachableService, waysOf } from "./connection-ways.ts";
import { saveFile } from "./save-file.ts";
import { useCopy } from "./use-copy.ts";

export interface ConnectionStringsProps {
  readonly service: ReachableService;
  /** null: it is not known here. */
  readonly password: string | null;
  /** Told when the password was copied or downloaded with the rest. */
  readonly onTaken?: () => void;
}

/** As many dots as tell nothing of the length. */
const MASK = "••••••••••••";

export function ConnectionStrings({ service, password, onTaken }: ConnectionStringsProps) {
  const ways = waysOf(service);
  const [wayId, setWay] = useState(ways[0]?.id);
  const [form, setForm] = useRememberedForm();
  const [shown, setShown] = useState(true);
  const way = ways.find(({ id }) => id === wayId) ?? ways[0];
  if (!way) return <Text c="dimmed">The service has no endpoint.</Text>;
  const connection: Connection = { ...way.connection, password };
  const { render, note } = formOf(form);
  const text = render(connection);
  const masked =
    password === null || shown ? text : render({ ...connection, password: "MASK" }).replaceAll("MASK", MASK);
  return (
    <Stack gap="sm">
      {ways.length > 1 && (
        <div className={classes["ways"]}>
          <SegmentedControl
            aria-label="Which way"
            size="xs"
            value={way.id}
            onChange={setWay}
            data={ways.map(({ id, title }) => ({ value: id, label: title }))}
          />
        </div>
      )}
      {way.note !== undefined && (
        <Text size="sm" c="dimmed">
          {way.note}
        </Text>
      )}
      <Tabs value={form} onChange={(id) => id !== null && isFormId(id) && setForm(id)} variant="pills">
        <Tabs.List className={classes["forms"]} aria-label="Form" mb="xs">
          {FORMS.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id} px={11} py={6}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={form}>
          <div className={classes["block"]}>
            <pre className={classes["text"]} data-testid="connection-string">
              {masked}
            </pre>
            <div className={classes["bar"]}>
              <Text size="xs" c="dimmed" className={classes["note"]}>
                {note ?? (password === null ? WITHOUT_PASSWORD : "Encrypted: sslmode=require.")}
              </Text>
              <Group gap={6} wrap="nowrap" ml="auto">
                {password !== null && <Reveal shown={shown} onChange={setShown} />}
                {form === "env" && (
                  <Button
                    size="xs"
                    variant="default"
                    leftSection={<Download size={14} aria-hidden />}
                    onClick={() => {
                      // Browsers take the dot from a name that begins with one.
                      saveFile("database.env", [`${text}\n`], "application/octet-stream");
                      onTaken?.();
                    }}
                  >
                    Download
                  </Button>
                )}
                <CopyButton text={text} onCopied={onTaken} />
              </Group>
            </div>
          </div>
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

const WITHOUT_PASSWORD =
  "Without the password, which was shown when the service was created. A new one can be set in its settings.";

function CopyButton({ text, onCopied }: { text: string; onCopied: (() => void) | undefined }) {
  const { state, copy } = useCopy();
  const Icon = state === "copied" ? Check : CopyIcon;
  return (
    <Button
      size="xs"
      className={classes["copy"]}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={() => void copy(text).then((done) => done && onCopied?.())}
    >
      <span aria-live="polite">
        {state === "copied" ? "Copied" : state === "refused" ? "Refused by the browser" : "Copy"}
      </span>
    </Button>
  );
}

function Reveal({ shown, onChange }: { shown: boolean; onChange: (shown: boolean) => void }) {
  const label = shown ? "Hide the password" : "Show the password";
  const Icon = shown ? EyeOff : Eye;
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={() => onChange(!shown)}>
        <Icon size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Which form somebody needs is the same tomorrow. */
function useRememberedForm(): [FormId, (form: FormId) => void] {
  const [kept, keep] = useLocalStorage({
    key: "howdah.connection-form",
    defaultValue: "psql",
    getInitialValueInEffect: false,
  });
  return [isFormId(kept) ? kept : "psql", keep];
}
