/** The editor, as a React component: it keeps its own text, and tells of changes. */
import type { SQLNamespace } from "@codemirror/lang-sql";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from "react";
import { editorExtensions, languageWith, markMistake } from "./editor-setup.ts";
import type { Span } from "./position.ts";
import classes from "./query.module.css";

export interface EditorHandle {
  /** What is selected, or everything where nothing is. */
  toRun(): { readonly sql: string; readonly from: number };
  replace(sql: string): void;
  mark(mistake: Span | null): void;
  focus(): void;
}

export interface SqlEditorProps {
  readonly ref: Ref<EditorHandle>;
  readonly initial: string;
  readonly schema: SQLNamespace | null;
  readonly onRun: () => void;
  readonly onChange: (sql: string, hasSelection: boolean) => void;
}

export function SqlEditor({ ref, initial, schema, onRun, onChange }: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<{ view: EditorView; language: Compartment } | null>(null);
  const run = useEffectEvent(onRun);
  const changed = useEffectEvent(({ state }: EditorView) =>
    onChange(state.doc.toString(), !state.selection.main.empty),
  );
  const begin = useEffectEvent((parent: HTMLElement) => {
    const language = new Compartment();
    const extensions = editorExtensions(
      { run: () => run(), changed: (view) => changed(view) },
      language.of(languageWith(schema)),
    );
    const view = new EditorView({ parent, state: EditorState.create({ doc: initial, extensions }) });
    editor.current = { view, language };
    return view;
  });

  useEffect(() => {
    if (!host.current) return undefined;
    const view = begin(host.current);
    return () => {
      editor.current = null;
      view.destroy();
    };
  }, []);

  useEffect(() => {
    const { view, language } = editor.current ?? {};
    view?.dispatch({ effects: language?.reconfigure(languageWith(schema)) ?? [] });
  }, [schema]);

  useImperativeHandle(ref, () => ({
    toRun() {
      const { doc, selection } = editor.current?.view.state ?? EditorState.create();
      const { from, to, empty } = selection.main;
      return empty ? { sql: doc.toString(), from: 0 } : { sql: doc.sliceString(from, to), from };
    },
    replace(sql) {
      const view = editor.current?.view;
      view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: sql } });
    },
    mark(mistake) {
      const scroll = mistake ? [EditorView.scrollIntoView(mistake.from, { y: "nearest" })] : [];
      editor.current?.view.dispatch({ effects: [markMistake.of(mistake), ...scroll] });
    },
    focus() {
      editor.current?.view.focus();
    },
  }));

  return <div ref={host} className={classes["editor"]} />;
}
