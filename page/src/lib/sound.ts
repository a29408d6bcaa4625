/** Small sounds, made on the spot: nothing is loaded. Never the only signal. */

import { settings } from "./settings.svelte";

let audio: AudioContext | null = null;

interface Tone {
  pitch: number;
  at?: number;
  length?: number;
  volume?: number;
  kind?: OscillatorType;
}

/** Wood on wood; two notes for "your turn"; a closing chord; a tick for a clock that runs low. */
const SOUNDS = {
  place: [
    { pitch: 190, length: 0.07, volume: 0.5, kind: "triangle" },
    { pitch: 620, length: 0.025, volume: 0.16, kind: "triangle" },
  ],
  turn: [
    { pitch: 587, length: 0.14, volume: 0.16 },
    { pitch: 784, at: 0.11, length: 0.24, volume: 0.16 },
  ],
  end: [
    { pitch: 392, length: 0.6, volume: 0.13 },
    { pitch: 494, at: 0.1, length: 0.6, volume: 0.13 },
    { pitch: 587, at: 0.2, length: 0.7, volume: 0.13 },
  ],
  low: [{ pitch: 880, length: 0.06, volume: 0.1 }],
} satisfies Record<string, Tone[]>;

function playTone(context: AudioContext, tone: Tone): void {
  const { pitch, at = 0, length = 0.1, volume = 0.2, kind = "sine" } = tone;
  const begin = context.currentTime + at;
  const voice = new OscillatorNode(context, { frequency: pitch, type: kind });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(volume, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
  voice.connect(gain).connect(context.destination);
  voice.start(begin);
  voice.stop(begin + length);
}

export function play(name: keyof typeof SOUNDS): void {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  void audio.resume();
  for (const tone of SOUNDS[name]) playTone(audio, tone);
}
