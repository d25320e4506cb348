// Undo and redo of everything: each step remembers what was before and after.

export interface Step<T, M> {
  label: string;
  before: T;
  after: T;
  /** What was selected before and after, where there is such a thing. */
  markBefore: M;
  markAfter: M;
  /** Steps with the same key shortly after each other are one, such as typing. */
  key: string;
  time: number;
}

const JOIN = 700;
const KEPT = 200;

export class History<T, M> {
  private done: Step<T, M>[] = [];
  private undone: Step<T, M>[] = [];

  add(step: Step<T, M>): void {
    const last = this.done.at(-1);
    if (last && step.key !== "" && last.key === step.key && step.time - last.time < JOIN && this.undone.length === 0) {
      this.done[this.done.length - 1] = { ...step, before: last.before, markBefore: last.markBefore };
    } else {
      this.done.push(step);
      if (this.done.length > KEPT) this.done.shift();
    }
    this.undone = [];
  }

  undo(): Step<T, M> | undefined {
    const step = this.done.pop();
    if (step) this.undone.push(step);
    return step;
  }

  redo(): Step<T, M> | undefined {
    const step = this.undone.pop();
    if (step) this.done.push(step);
    return step;
  }

  /** Lets what follows be a step of its own, however soon it comes. */
  close(): void {
    const last = this.done.at(-1);
    if (last) this.done[this.done.length - 1] = { ...last, key: "" };
  }

  /** Changes what all steps remember. */
  map(change: (value: T) => T): void {
    const changed = (s: Step<T, M>) => ({ ...s, before: change(s.before), after: change(s.after) });
    this.done = this.done.map(changed);
    this.undone = this.undone.map(changed);
  }

  get undoLabel(): string | undefined {
    return this.done.at(-1)?.label;
  }

  get redoLabel(): string | undefined {
    return this.undone.at(-1)?.label;
  }
}
