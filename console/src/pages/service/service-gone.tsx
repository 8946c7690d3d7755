/** What stands in a service's place once it is deleted. */
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { Empty } from "../../ui/empty.tsx";

/** @param name null: it was never seen from here */
export function ServiceGone({ name, serviceId }: { name: string | null; serviceId: string }) {
  return (
    <Empty
      icon={<Trash2 size={28} />}
      title={name === null ? "There is no such service" : `${name} was deleted`}
      action={<Anchor renderRoot={(props) => <Link to="/services" {...props} />}>Go to the services</Anchor>}
    >
      {name === null
        ? `No service of this project has the id ${serviceId}. It may have been deleted.`
        : "The service and its data are gone. What happened to it stays in the activity of the project."}
    </Empty>
  );
}
