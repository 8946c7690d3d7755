/** What stands in a service's place once it is deleted. */
import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";

/** @param name null: it was never seen from here */
export function ServiceGone({ name, serviceId }: { name: string | null; serviceId: string }) {
  const title = name === null ? "There is no such service" : "This service was deleted";
  useDocumentTitle(`${title} · Howdah`);
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <Trash2 size={28} aria-hidden />
      <Title order={1}>{title}</Title>
      <Text c="dimmed" maw={440} style={{ overflowWrap: "anywhere" }}>
        {name === null
          ? `No service of this project has the id ${serviceId}. It may have been deleted.`
          : `${name} and its data are gone. What happened to it stays in the activity of the project.`}
      </Text>
      <Anchor renderRoot={(props) => <Link to="/services" {...props} />}>Go to the services</Anchor>
    </Stack>
  );
}
