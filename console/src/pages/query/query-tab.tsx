/** SQL on one service, with what it gave below. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Pause } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { ClientError, type ServiceRecord } from "../../../../src/client/index.ts";
import { readQueryFailure } from "../../../../src/contract/query.ts";
import { useQueries } from "../../data/queries.ts";
import { useAccount } from "../../session/client.tsx";
import { keepLogin, type Login, loginOf } from "../../session/login.ts";
import { Empty } from "../../ui/empty.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ConnectionButton } from "./connection-button.tsx";
import { HistoryMenu } from "./history-menu.tsx";
import { LoginDialog } from "./login-dialog.tsx";
import { OutcomeView } from "./outcome-view.tsx";
import { spanAt } from "./position.ts";
import classes from "./query.module.css";
import { type Explain, type Outcome, type Statement, useSheet } from "./sheet.ts";
import { type EditorHandle, SqlEditor } from "./sql-editor.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useCatalog } from "./use-catalog.ts";
import { useRun } from "./use-run.ts";

export function QueryTab() {
  const { serviceId } = useParams({ from: "/signed-in/services/$serviceId/query" });
  const { data: service } = useQuery(useQueries().service(serviceId));
  const away = service && AWAY[service.status];
  if (away)
    return (
      <Panel>
        <Empty icon={<Pause size={28} strokeWidth={1.5} />} title={away.title}>
          {away.text}
        </Empty>
      </Panel>
    );
  return <QueryPage key={serviceId} serviceId={serviceId} service={service} />;
}

const STOPPED = { title: "The service is stopped", text: "Start it, and SQL can be run on it again." };
const MADE = { title: "The service is being made", text: "SQL can be run once it is ready." };

/** By the status of a service that runs no SQL. QUEUED is also one that serves, and is to be changed. */
const AWAY: Readonly<Record<string, typeof STOPPED>> = {
  PAUSED: STOPPED,
  PAUSING: STOPPED,
  CONFIGURING: MADE,
};

/** Why the password is asked for, and what is run once it is right. */
interface Asking {
  readonly refusal: ClientError | null;
  readonly next: Statement | null;
}

function QueryPage({ serviceId, service }: { serviceId: string; service: ServiceRecord | undefined }) {
  const account = useAccount();
  const editor = useRef<EditorHandle>(null);
  const [sheet, change] = useSheet(account, serviceId);
  const [login, setLogin] = useState(() => loginOf(account, serviceId));
  // Without it nothing can be done here: it is asked for at once, and can be put off.
  const [asking, setAsking] = useState<Asking | null>(login ? null : { refusal: null, next: null });
  const [hasSelection, setHasSelection] = useState(false);
  const catalog = useCatalog(serviceId, login);
  const { running, run, cancel } = useRun({
    serviceId,
    sheet,
    change,
    onLoginRefused: (refusal, next) => {
      setLogin(null);
      setAsking({ refusal, next });
    },
  });
  useMistake(sheet.outcome, editor);

  const begin = (explain: Explain) => {
    const selected = editor.current?.toRun();
    if (!selected || selected.sql.trim() === "" || running) return;
    const statement = { ...selected, explain, maxRows: sheet.maxRows };
    if (login) void run(statement, login);
    else setAsking({ refusal: null, next: statement });
  };
  const connected = (right: Login) => {
    keepLogin(account, serviceId, right);
    setLogin(right);
    setAsking(null);
    editor.current?.focus();
    if (asking?.next) void run(asking.next, right);
  };
  const forget = () => {
    keepLogin(account, serviceId, null);
    setLogin(null);
  };

  return (
    <>
      <Panel flush>
        <div className={classes["top"]} data-writes={!sheet.readOnly || undefined}>
          <Toolbar
            sheet={sheet}
            sets={service?.read_replica_sets ?? []}
            running={running}
            hasSelection={hasSelection}
            onChange={change}
            onRun={begin}
            onCancel={cancel}
          />
          {!sheet.readOnly && (
            <Text size="sm" className={classes["writes"]} data-mood="warn" role="status">
              <b>Writes are allowed.</b> What you run changes the data of {service?.name ?? "this service"}.
            </Text>
          )}
          <SqlEditor
            ref={editor}
            initial={sheet.sql}
            schema={catalog}
            onRun={() => begin("none")}
            onChange={(sql, selected) => {
              setHasSelection(selected);
              if (sql !== sheet.sql) change({ sql });
            }}
          />
          <div className={classes["foot"]}>
            <ConnectionButton
              login={login}
              onConnect={() => setAsking({ refusal: null, next: null })}
              onForget={forget}
            />
            <HistoryMenu
              entries={sheet.history}
              onPick={(sql) => {
                editor.current?.replace(sql);
                editor.current?.focus();
              }}
            />
          </div>
        </div>
      </Panel>
      <Panel flush>
        <div
          className={classes["outcome"]}
          data-stale={running ? true : undefined}
          aria-busy={running !== null}
        >
          <OutcomeView outcome={sheet.outcome} />
        </div>
      </Panel>
      {asking && (
        <LoginDialog
          serviceName={service?.name ?? "the service"}
          known={login}
          refusal={asking.refusal}
          serviceId={serviceId}
          onConnected={connected}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

/** Marks in the editor where the last statement was wrong. */
function useMistake(outcome: Outcome | null, editor: React.RefObject<EditorHandle | null>): void {
  useEffect(() => {
    if (outcome?.kind !== "refused" || !(outcome.error instanceof ClientError)) return;
    const failure = readQueryFailure(outcome.error.details);
    if (!failure?.position) return;
    const { sql, from } = outcome.statement;
    editor.current?.mark(spanAt(sql, failure.position, from));
  }, [outcome, editor]);
}
