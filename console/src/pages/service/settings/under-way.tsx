/** Says so while an earlier change is still being applied; another one may come on top of it. */
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useQueries } from "../../../data/queries.ts";
import { SettingsNotice } from "./settings-notice.tsx";
import classes from "./settings-tab.module.css";

export function UnderWay({ serviceId }: { serviceId: string }) {
  const { data: plan } = useQuery(useQueries().plan(serviceId));
  const busy = plan !== undefined && plan.outlook !== "settled";
  const overdue = plan?.waiting_for?.overdue === true;
  return (
    <div role="status" className={classes["underWay"]}>
      {busy && (
        <SettingsNotice mood={overdue || plan.outlook === "blocked" ? "warn" : "busy"}>
          <Text size="sm" fw={600}>
            What was asked for before is still being applied
          </Text>
          <Text size="sm" c="dimmed">
            {plan.waiting_for?.message ?? plan.message} You can ask for more meanwhile.
          </Text>
        </SettingsNotice>
      )}
    </div>
  );
}
