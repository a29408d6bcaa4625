import { mount } from "svelte";
import App from "./App.svelte";
import "./style/base.css";
import { start } from "./lib/router.svelte";

start();
mount(App, { target: document.getElementById("app")! });
