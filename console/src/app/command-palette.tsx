/** Everything that can be gone to or begun, by typing a few letters of it. */
import { Spotlight, type SpotlightActionGroupData, spotlight } from "@mantine/spotlight";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Database, Plus, Search } from "lucide-react";
import { useEffect } from "react";
import { useQueries } from "../data/queries.ts";
import { useAccount } from "../session/client.tsx";
import { serviceType } from "../ui/format.ts";
import { statusWord } from "../ui/status-badge.tsx";
import { placesFor } from "./places.ts";

const MOST_SHOWN = 12;

export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const { role } = useAccount();
  const { data: services = [] } = useQuery(useQueries().services);
  useEffect(() => {
    const before = document.activeElement;
    spotlight.open();
    // It is gone as soon as it closes, before it could give the focus back by itself.
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const groups: SpotlightActionGroupData[] = [
    {
      group: "Services",
      actions: services.map(({ service_id: id, name, service_type, status }) => ({
        id,
        label: name,
        description: `${serviceType(service_type)} · ${statusWord(status)} · ${id}`,
        keywords: [id],
        leftSection: <Database size={16} aria-hidden />,
        onClick: () => void navigate({ to: "/services/$serviceId", params: { serviceId: id } }),
      })),
    },
    {
      group: "Actions",
      actions: [
        {
          id: "create",
          label: "Create a service",
          leftSection: <Plus size={16} aria-hidden />,
          onClick: () => void navigate({ to: "/create" }),
        },
      ],
    },
    {
      group: "Pages",
      actions: placesFor(role).map(({ to, title, icon: Icon }) => ({
        id: to,
        label: title,
        leftSection: <Icon size={16} aria-hidden />,
        onClick: () => void navigate({ to }),
      })),
    },
  ];
  return (
    <Spotlight
      actions={groups}
      onSpotlightClose={onClose}
      shortcut={null}
      limit={MOST_SHOWN}
      highlightQuery
      nothingFound="Nothing has that name"
      searchProps={{
        placeholder: "A service, a page, an action",
        "aria-label": "Go to",
        leftSection: <Search size={16} aria-hidden />,
      }}
    />
  );
}
