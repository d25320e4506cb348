// Undo and redo of everything: each step remembers the report before and after.

import type { Report } from "./model";

export interface Step {
  label: string;
  before: Report;
  after: Report;
  selectedBefore: string[];
  selectedAfter: string[];
  /** Steps with the same key shortly after each other are one, such as typing. */
  key: string;
  time: number;
}

const MERGE = 700;
const KEPT = 200;

export class History {
  private done: Step[] = [];
  private undone: Step[] = [];

  add(step: Step): void {
    const last = this.done.at(-1);
    if (last && step.key !== "" && last.key === step.key && step.time - last.time < MERGE && this.undone.length === 0) {
      this.done[this.done.length - 1] = { ...step, before: last.before, selectedBefore: last.selectedBefore };
    } else {
      this.done.push(step);
      if (this.done.length > KEPT) this.done.shift();
    }
    this.undone = [];
  }

  undo(): Step | undefined {
    const step = this.done.pop();
    if (step) this.undone.push(step);
    return step;
  }

  redo(): Step | undefined {
    const step = this.undone.pop();
    if (step) this.done.push(step);
    return step;
  }

  get undoLabel(): string | undefined {
    return this.done.at(-1)?.label;
  }

  get redoLabel(): string | undefined {
    return this.undone.at(-1)?.label;
  }
}
