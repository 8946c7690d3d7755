/** Gives the browser a file to save, under a name that any file system takes. */
export function saveFile(name: string, parts: readonly string[], type: string): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name.replaceAll(/[^\w.-]+/g, "-");
  link.click();
  URL.revokeObjectURL(address);
}
