import { expect, test } from "vitest";
import { createFrameReader } from "./sse.ts";

test("frames are whole however the text is cut, and comments are none", () => {
  const text =
    ': \n\nretry: 2000\nid: 7\n\n: \n\nid: 8\nevent: a\ndata: {"x":1}\n\ndata: one\ndata:two\n\nid';
  const whole = createFrameReader()(text);
  expect(whole).toEqual([
    { id: "7", data: null, retryMs: 2_000 },
    { id: "8", data: '{"x":1}', retryMs: null },
    { id: "8", data: "one\ntwo", retryMs: null },
  ]);
  const read = createFrameReader();
  expect(Array.from(text, (character) => read(character)).flat()).toEqual(whole);
});
