/** The word by which the Content-Security-Policy of this very page knows its own style elements. */
const meta = document.querySelector<HTMLElement>('meta[property="csp-nonce"]');

export const nonce = meta?.nonce ?? "";
