import { Page } from "../../ui/page.tsx";

export function CreatedPage() {
  return <Page title="Created">{null}</Page>;
}
