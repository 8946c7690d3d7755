/**
 * How well something is: by the attribute `data-mood`, its element and all in it have the colour `--mood`, and `--mood-soft` for
 * a surface on which that is read.
 */
export type Mood = "good" | "busy" | "warn" | "bad" | "calm";
