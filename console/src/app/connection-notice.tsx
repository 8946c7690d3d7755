/** Says so while the console cannot be sure that what it shows is still true. */
import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { useConnected } from "../data/live.ts";
import classes from "./connection-notice.module.css";

/** A first try to come back is made before. Browsers drop connections whenever the machine gets or loses a network. */
const PATIENCE_MS = 4_000;

export function ConnectionNotice() {
  const lost = !useConnected();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!lost) return setShown(false);
    const timer = setTimeout(() => setShown(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [lost]);
  return (
    <div role="status" className={classes["place"]}>
      {shown && lost && (
        <div className={classes["notice"]}>
          <Text size="sm" fw={600}>
            Not connected
          </Text>
          <Text size="sm">
            What you see may be out of date. Trying again; databases go on serving meanwhile.
          </Text>
        </div>
      )}
    </div>
  );
}
