import { Page } from "../../ui/page.tsx";

export function OperatorPage() {
  return <Page title="Operator">{null}</Page>;
}
