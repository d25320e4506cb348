/** What an event tells; numbers are of entries. */
export interface Happened {
  finished?: boolean;
  entries?: number;
  queued?: number;
  delivering?: number;
  review?: number;
  completed?: number;
  errors?: number;
  done?: number;
  error?: string;
  changed?: number[];
  more?: boolean;
  list?: string; // changes with the list of exports
}
