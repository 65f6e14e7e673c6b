// @ts-check
// Short sounds for what happens at a table, and a bell like a tram's for one that is out of sight, made by the browser.

/** Notes as [start in seconds, pitch in Hz, length in seconds]. @type {Record<string, [number, number, number][]>} */
const NOTES = {
  move: [[0, 520, .09]],
  turn: [[0, 660, .12], [.13, 880, .2]],
  bell: [[0, 880, .4], [.16, 660, .4]],
  end: [[0, 523, .16], [.17, 659, .16], [.34, 784, .45]],
};
/** @type {AudioContext|null} */
let audio = null;

/** Play a sound; browsers allow none before the first click or key. @param {"move"|"turn"|"bell"|"end"} name */
export function play(name) {
  if (!navigator.userActivation.hasBeenActive) return;
  audio ??= new AudioContext();
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
