// @ts-check
// Short sounds for what happens at a table, made by the browser itself. They are off unless the player wants them.

/** Notes as [start in seconds, pitch in Hz, length in seconds]. @type {Record<string, [number, number, number][]>} */
const NOTES = {
  move: [[0, 520, .09]],
  turn: [[0, 660, .12], [.13, 880, .2]],
  end: [[0, 523, .16], [.17, 659, .16], [.34, 784, .45]],
};
/** @type {AudioContext|null} Browsers let it sound only after a click or a key. */
let audio = null;

/** @param {"move"|"turn"|"end"} name */
export function play(name) {
  audio ??= new AudioContext();
  audio.resume();
  for (const [at, pitch, length] of NOTES[name]) {
    const start = audio.currentTime + at;
    const note = audio.createOscillator();
    const volume = audio.createGain();
    note.type = "triangle";
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(.1, start);
    volume.gain.exponentialRampToValueAtTime(.001, start + length);
    note.connect(volume).connect(audio.destination);
    note.start(start);
    note.stop(start + length);
  }
}
