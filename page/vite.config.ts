import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { type Plugin, defineConfig } from "vite";

const require = createRequire(import.meta.url);

/** The page of the REST interface brings its own viewer: no table depends on another site. */
function apiViewer(): Plugin {
  return {
    name: "api-viewer",
    generateBundle() {
      for (const name of ["swagger-ui.css", "swagger-ui-bundle.js"]) {
        const source = readFileSync(require.resolve(`swagger-ui-dist/${name}`));
        this.emitFile({ type: "asset", fileName: `docs/${name}`, source });
      }
    },
  };
}

export default defineConfig({
  plugins: [svelte(), apiViewer()],
  build: { outDir: "../src/roundel/web/static", emptyOutDir: true, assetsInlineLimit: 0 },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8000",
      "/ws": { target: "ws://127.0.0.1:8000", ws: true },
    },
  },
});
