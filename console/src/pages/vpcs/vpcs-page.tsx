import { Page } from "../../ui/page.tsx";

export function VpcsPage() {
  return <Page title="VPCs">{null}</Page>;
}
