/** Loaded together: the page that shows a password once must not have to be loaded while the machine gets new networks. */
export { CreatePage } from "./create-page.tsx";
export { CreatedPage } from "./created/created-page.tsx";
