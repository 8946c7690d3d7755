/** One parameter: what it is for, its value, and where that comes from. */
import { ActionIcon, NativeSelect, Text, TextInput, Tooltip } from "@mantine/core";
import { RotateCcw } from "lucide-react";
import { memo } from "react";
import classes from "./parameters.module.css";
import { type ParameterRecord, rangeWords, refusalOf } from "./value.ts";

export interface ParameterRowProps {
  readonly parameter: ParameterRecord;
  /** As it was written; null: taken back; undefined: not changed. */
  readonly drafted: string | null | undefined;
  readonly mayWrite: boolean;
  readonly onChange: (parameter: ParameterRecord, value: string | null) => void;
}

const SOURCES: Readonly<Record<string, string>> = {
  size: "Follows the size",
  default: "Default",
  custom: "Chosen",
};

export const ParameterRow = memo(function ParameterRow(props: ParameterRowProps) {
  const { parameter, drafted, mayWrite, onChange } = props;
  const { name, description, source, size_value } = parameter;
  const changed = drafted !== undefined;
  const mayClear = mayWrite && (changed || source === "custom");
  const clear = changed ? "Keep it as it is" : `Back to ${size_value}`;
  return (
    <li className={classes["row"]} data-changed={changed || undefined}>
      <div className={classes["about"]}>
        <Text className={classes["name"]}>{name}</Text>
        <Text size="xs" c="dimmed">
          {description}
        </Text>
        <InForce parameter={parameter} />
      </div>
      <div className={classes["value"]}>
        <Value {...props} />
      </div>
      <div className={classes["source"]}>
        <div>
          <Text size="xs">
            {changed ? (drafted === null ? "Taken back" : "Changed") : (SOURCES[source] ?? source)}
          </Text>
          {parameter.restart_required && (
            <Text size="xs" c="dimmed">
              needs a restart
            </Text>
          )}
        </div>
        {mayClear && (
          <Tooltip label={clear}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`${name}: ${clear}`}
              onClick={() => onChange(parameter, changed ? parameter.wanted_value : null)}
            >
              <RotateCcw size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </li>
  );
});

function InForce({ parameter: { value, wanted_value, restart_due } }: { parameter: ParameterRecord }) {
  if (value === wanted_value && !restart_due) return null;
  return (
    <Text size="xs" className={classes["pending"]}>
      {value === null ? "What is in force is not known now." : `In force now: ${value}.`}
      {restart_due && " Waits for a restart."}
    </Text>
  );
}

function Value({ parameter, drafted, mayWrite, onChange }: ParameterRowProps) {
  const { name, wanted_value, size_value, type, options, unit } = parameter;
  const value = drafted === undefined ? wanted_value : (drafted ?? size_value);
  const words = type === "bool" ? ["on", "off"] : options;
  const refusal = typeof drafted === "string" ? refusalOf(parameter, drafted) : null;
  if (words && mayWrite)
    return (
      <NativeSelect
        aria-label={name}
        size="xs"
        value={value}
        data={words.includes(value) ? words : [value, ...words]}
        onChange={(event) => onChange(parameter, event.currentTarget.value)}
      />
    );
  return (
    <TextInput
      aria-label={unit === null ? name : `${name}, in ${unit} or with a unit`}
      size="xs"
      readOnly={!mayWrite}
      spellCheck={false}
      autoComplete="off"
      value={value}
      error={refusal}
      description={refusal === null ? rangeWords(parameter) : null}
      inputWrapperOrder={["input", "error", "description"]}
      onChange={(event) => onChange(parameter, event.currentTarget.value)}
    />
  );
}
