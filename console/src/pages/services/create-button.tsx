import { Button, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useMayWrite } from "../../session/client.tsx";
import { WriteButton } from "../../ui/write-button.tsx";

export function CreateButton() {
  const icon = <Plus size={16} aria-hidden />;
  if (!useMayWrite()) return <WriteButton leftSection={icon}>Create a service</WriteButton>;
  return (
    <Tooltip label="Or press c" openDelay={600}>
      <Button leftSection={icon} renderRoot={(props) => <Link to="/create" {...props} />}>
        Create a service
      </Button>
    </Tooltip>
  );
}
