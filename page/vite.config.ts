import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { type Plugin, defineConfig } from "vite";

const require = createRequire(import.meta.url);
const VIEWER = ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-bundle.js.LICENSE.txt"];

/** The page of the REST interface brings its own viewer: no table depends on another site. */
function apiViewer(): Plugin {
  return {
    name: "api-viewer",
    generateBundle() {
      for (const name of VIEWER) {
        const source = readFileSync(require.resolve(`swagger-ui-dist/${name}`));
        this.emitFile({ type: "asset", fileName: `docs/${name}`, source });
      }
    },
  };
}

/** The licenses of everything from other packages, fonts included: Vite's own list has scripts only. */
function licenses(): Plugin {
  return {
    name: "licenses",
    generateBundle(_options, bundle) {
      const assets = Object.values(bundle).filter((file) => file.type === "asset");
      const files = [
        ...this.getModuleIds(),
        ...assets.flatMap((asset) => asset.originalFileNames.map((name) => resolve(name))),
        require.resolve("swagger-ui-dist"),
      ];
      const folders = files.map((file) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0]);
      const texts = [...new Set(folders)].filter((folder) => folder !== undefined).map(licenseOf);
      this.emitFile({ type: "asset", fileName: "licenses.txt", source: texts.sort().join("\n\n") });
    },
  };
}

/** So that an open page notices an upgrade: the digest of `index.html`, which names everything else by its digest. */
function pageVersion(): Plugin {
  return {
    name: "page-version",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html) {
        const content = createHash("sha256").update(html).digest("hex").slice(0, 12);
        return [{ tag: "meta", attrs: { name: "roundel-page", content }, injectTo: "head" }];
      },
    },
  };
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const found = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  if (!found.some((file) => /^licen/i.test(file))) throw new Error(`${name} has no license file`);
  const texts = found.map((file) => readFileSync(join(folder, file), "utf8").trim());
  return [`== ${name} ${version} (${license})`, ...texts].join("\n\n");
}

export default defineConfig({
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {}, // components in tests are those of browsers
  plugins: [svelte(), apiViewer(), licenses(), pageVersion()],
  build: { outDir: "../src/roundel/web/static", emptyOutDir: true, assetsInlineLimit: 0 },
  server: {
    proxy: {
      "/api": "http://127.0.0.1:8000",
      "/ws": { target: "ws://127.0.0.1:8000", ws: true },
    },
  },
});
