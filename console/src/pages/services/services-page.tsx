import { Page } from "../../ui/page.tsx";

export function ServicesPage() {
  return <Page title="Services">{null}</Page>;
}
