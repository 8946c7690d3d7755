/** How the SQL editor behaves and looks; its colours are the theme's. */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { PostgreSQL, type SQLNamespace, sql } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Extension, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { nonce } from "../../app/nonce.ts";
import type { Span } from "./position.ts";

/** Marks where a mistake stands; null: nowhere. It goes with the next change of the text. */
export const markMistake = StateEffect.define<Span | null>();

const mistakeMark = Decoration.mark({ class: "cm-mistake", attributes: { title: "The mistake is here" } });

const mistakes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(markMistake)) {
        const length = transaction.newDoc.length;
        const from = Math.min(effect.value?.from ?? 0, length);
        const to = Math.min(effect.value?.to ?? 0, length);
        return effect.value && from < to ? Decoration.set(mistakeMark.range(from, to)) : Decoration.none;
      }
    return transaction.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const highlighting = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--howdah-accent)", fontWeight: "550" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--howdah-good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--howdah-warn)" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: "var(--mantine-color-dimmed)" },
  { tag: [tags.typeName, tags.standard(tags.name)], color: "var(--howdah-busy)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "transparent", color: "var(--mantine-color-text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--mantine-font-family-monospace)",
    fontSize: "var(--mantine-font-size-sm)",
    lineHeight: "1.6",
  },
  ".cm-content": { padding: "10px 0", caretColor: "var(--mantine-color-text)" },
  ".cm-cursor": { borderLeftColor: "var(--mantine-color-text)" },
  // Not transparent: long lines are scrolled below it.
  ".cm-gutters": {
    backgroundColor: "var(--howdah-panel)",
    border: "none",
    color: "var(--mantine-color-dimmed)",
    paddingLeft: "6px",
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--howdah-accent) 6%, transparent)",
  },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in srgb, var(--howdah-accent) 24%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket": {
    backgroundColor: "color-mix(in srgb, var(--howdah-accent) 22%, transparent)",
  },
  ".cm-placeholder": { color: "var(--mantine-color-dimmed)" },
  ".cm-mistake": {
    textDecoration: "underline wavy var(--howdah-bad)",
    textDecorationSkipInk: "none",
    textUnderlineOffset: "3px",
    backgroundColor: "color-mix(in srgb, var(--howdah-bad) 14%, transparent)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--howdah-panel)",
    border: "1px solid var(--mantine-color-default-border)",
    borderRadius: "var(--mantine-radius-md)",
    boxShadow: "var(--mantine-shadow-md)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--mantine-font-family-monospace)",
    fontSize: "var(--mantine-font-size-xs)",
    maxHeight: "14em",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px 3px 6px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--mantine-primary-color-filled)",
    color: "var(--mantine-color-white)",
  },
  ".cm-completionDetail": { color: "inherit", fontStyle: "normal", opacity: "0.75" },
});

/**
 * What is typed over a selection is put in its place by the editor itself. Browsers would keep the look of what was there as
 * an inline style, which the Content-Security-Policy forbids, and complains about.
 */
const replacing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data: text, inputType } = event;
    const { from, to, empty } = view.state.selection.main;
    if (empty || text === null || inputType !== "insertText" || view.composing) return false;
    const insert = () =>
      view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert());
    return true;
  },
});

export interface EditorCommands {
  /** Of Ctrl-Enter, or Cmd-Enter. */
  readonly run: () => void;
  readonly changed: (view: EditorView) => void;
}

/** @param language kept in a compartment by whoever calls, since what is suggested comes later */
export function editorExtensions({ run, changed }: EditorCommands, language: Extension): Extension[] {
  return [
    EditorView.cspNonce.of(nonce),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ icons: false }),
    syntaxHighlighting(highlighting),
    mistakes,
    replacing,
    look,
    language,
    placeholder("select …"),
    EditorView.contentAttributes.of({ "aria-label": "SQL", spellcheck: "false", tabindex: "0" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged || update.selectionSet) changed(update.view);
    }),
    // Tab is not taken: it leads on, as everywhere on the page.
    keymap.of([
      {
        key: "Mod-Enter",
        run: (view) => {
          closeCompletion(view);
          run();
          return true;
        },
      },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
  ];
}

/** @param schema null: not known yet; keywords are suggested all the same */
export function languageWith(schema: SQLNamespace | null): Extension {
  return sql({ dialect: PostgreSQL, ...(schema ? { schema, defaultSchema: "public" } : {}) });
}
