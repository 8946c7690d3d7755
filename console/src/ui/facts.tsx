/** Names and values beside each other. */
import { Text } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import classes from "./facts.module.css";

export interface FactsProps {
  /** Those without a value are left out. */
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

export function Facts({ facts }: FactsProps) {
  return (
    <dl className={classes["facts"]}>
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== undefined && (
            <Fragment key={name}>
              <Text component="dt" size="sm" c="dimmed">
                {name}
              </Text>
              <Text component="dd" size="sm">
                {value}
              </Text>
            </Fragment>
          ),
      )}
    </dl>
  );
}
