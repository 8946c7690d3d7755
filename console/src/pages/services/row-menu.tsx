/** What is done to a service from the list. The menu itself is only made when it is opened: there are many rows. */
import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { EllipsisVertical, PanelRightOpen, Play, Plug, Square } from "lucide-react";
import { useState } from "react";
import type { ServiceRecord } from "../../../../src/client/index.ts";
import { useMayWrite } from "../../session/client.tsx";
import { powerOf, whyNoPower } from "../../ui/power.ts";
import { READ_ONLY } from "../../ui/write-button.tsx";
import type { ServiceTask } from "./service-dialogs.tsx";
import classes from "./service-list.module.css";

export interface RowMenuProps {
  readonly service: ServiceRecord;
  readonly onTask: (task: ServiceTask) => void;
}

export function RowMenu({ service, onTask }: RowMenuProps) {
  const [made, setMade] = useState(false);
  const [opened, setOpened] = useState(false);
  const button = (
    <button
      type="button"
      className={classes["icon"]}
      aria-label={`Actions of ${service.name}`}
      aria-haspopup="menu"
      onClick={() => {
        setMade(true);
        setOpened(true);
      }}
    >
      <EllipsisVertical size={16} aria-hidden />
    </button>
  );
  if (!made) return button;
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" shadow="md" width={220} withinPortal>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Items service={service} onTask={onTask} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Items({ service, onTask }: RowMenuProps) {
  const navigate = useNavigate();
  const mayWrite = useMayWrite();
  const power = powerOf(service);
  const unavailable = mayWrite ? whyNoPower(service) : READ_ONLY;
  const Sign = power === "start" ? Play : Square;
  return (
    <>
      <Menu.Item
        leftSection={<PanelRightOpen size={15} aria-hidden />}
        onClick={() =>
          void navigate({ to: "/services/$serviceId", params: { serviceId: service.service_id } })
        }
      >
        Open
      </Menu.Item>
      <Menu.Item
        leftSection={<Plug size={15} aria-hidden />}
        disabled={service.status === "DELETING"}
        onClick={() => onTask({ kind: "connect", service })}
      >
        Connect
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        leftSection={<Sign size={15} aria-hidden />}
        disabled={unavailable !== null}
        title={unavailable ?? undefined}
        onClick={() => onTask({ kind: power, service })}
      >
        {power === "start" ? "Start …" : "Stop …"}
      </Menu.Item>
    </>
  );
}
