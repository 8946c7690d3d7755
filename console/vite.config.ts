import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const API = `http://127.0.0.1:${process.env["HOWDAH_PORT"] ?? "8420"}`;

export default defineConfig({
  root: import.meta.dirname,
  // Relative, so that it works behind any prefix.
  base: "./",
  plugins: [react()],
  // The server puts a new one in its place with every answer.
  html: { cspNonce: "NONCE" },
  // Styles of all pages are few, and come at once: a page that has lost its own on the way would be shown without them.
  build: { cssCodeSplit: false, emptyOutDir: true, reportCompressedSize: false, assetsInlineLimit: 0 },
  server: { proxy: { "/api": API } },
});
