import { mount } from "svelte";
import App from "./App.svelte";
import "./style/base.css";
import { start } from "./lib/router.svelte";
import { partMissing } from "./lib/version.svelte";

start();
addEventListener("vite:preloadError", () => void partMissing());
mount(App, { target: document.getElementById("app")! });
