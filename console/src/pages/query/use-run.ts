/** Runs statements on a service, one at a time, and keeps what became of them. */
import { useEffect, useRef, useState } from "react";
import { ClientError } from "../../../../src/client/index.ts";
import { useAccount, useClient } from "../../session/client.tsx";
import { now } from "../../session/clock.ts";
import { keepLogin, type Login } from "../../session/login.ts";
import { becameOf, type Outcome, type Sheet, type Statement, withEntry } from "./sheet.ts";

export interface Running {
  readonly since: number;
}

export interface RunOptions {
  readonly serviceId: string;
  readonly sheet: Sheet;
  readonly change: (part: Partial<Sheet> | ((sheet: Sheet) => Partial<Sheet>)) => void;
  /** The password is not accepted any more. */
  readonly onLoginRefused: (error: ClientError, statement: Statement) => void;
}

const CANCELLED = "cancelled by whoever asked";

export function useRun({ serviceId, sheet, change, onLoginRefused }: RunOptions) {
  const client = useClient();
  const account = useAccount();
  const [running, setRunning] = useState<Running | null>(null);
  const stop = useRef<AbortController | null>(null);
  // A page that is left needs no answer, and the database no work for nobody.
  useEffect(() => () => stop.current?.abort(CANCELLED), []);

  async function outcomeOf(statement: Statement, login: Login, signal: AbortSignal): Promise<Outcome> {
    const { sql, explain, maxRows } = statement;
    const body = {
      sql,
      ...login,
      explain,
      max_rows: maxRows,
      read_only: sheet.readOnly,
      timeout_seconds: sheet.seconds,
    };
    try {
      const answer = await client.query(sheet.setId ?? serviceId, body, { signal });
      return { kind: "answer", statement, answer };
    } catch (error) {
      if (signal.aborted) return { kind: "cancelled", statement };
      if (error instanceof ClientError) return { kind: "refused", statement, error };
      throw error;
    }
  }

  async function run(statement: Statement, login: Login): Promise<void> {
    if (stop.current) return;
    const controller = new AbortController();
    stop.current = controller;
    setRunning({ since: performance.now() });
    try {
      const outcome = await outcomeOf(statement, login, controller.signal);
      if (outcome.kind === "refused" && isLoginRefusal(outcome.error)) {
        keepLogin(account, serviceId, null);
        onLoginRefused(outcome.error, statement);
        return;
      }
      const entry = { ...statement, at: new Date(now()).toISOString(), became: becameOf(outcome) };
      change(({ history }) => ({ outcome, history: withEntry(history, entry) }));
    } finally {
      stop.current = null;
      setRunning(null);
    }
  }

  return { running, run, cancel: () => stop.current?.abort(CANCELLED) };
}

export function isLoginRefusal(error: unknown): error is ClientError {
  return error instanceof ClientError && error.code === "DATABASE_LOGIN_REFUSED";
}
