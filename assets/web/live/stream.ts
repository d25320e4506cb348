/** How long to wait when the service refuses the stream, in milliseconds. */
const AGAIN = 10_000;

/**
 * Server-sent events, for as long as somebody looks: a hidden tab lets its
 * connection go, of which browsers have few, and goes on where it was.
 */
export class Stream<E> {
  private source: EventSource | undefined;
  private last = "";
  private timer: number | undefined;

  /** ended tells whether an event is the last; connected is told of the connection. */
  constructor(
    private readonly address: string,
    private readonly ended: (e: E) => boolean,
    private readonly connected: (open: boolean) => void = () => undefined,
  ) {
    document.addEventListener("visibilitychange", this.seen);
    window.addEventListener("offline", this.broken);
    window.addEventListener("online", this.seen);
  }

  open(): void {
    this.close();
    if (document.hidden) return;
    const address = new URL(this.address, document.baseURI);
    if (this.last) address.searchParams.set("since", this.last);
    this.source = new EventSource(address);
    this.source.onmessage = (e: MessageEvent<string>) => {
      this.last = e.lastEventId;
      if (this.ended(JSON.parse(e.data) as E)) this.end();
    };
    this.source.onopen = () => this.connected(true);
    this.source.onerror = () => {
      this.connected(false);
      // A stream that broke off is taken up by the browser, a refused one is not.
      if (this.source?.readyState === EventSource.CLOSED) this.timer = window.setTimeout(() => this.open(), AGAIN);
    };
  }

  private readonly seen = (): void => (document.hidden ? this.close() : this.open());

  /** Without a network nothing comes any more, which a stream would not notice for long. */
  private readonly broken = (): void => {
    this.close();
    this.timer = window.setTimeout(() => this.open(), AGAIN);
  };

  private close(): void {
    clearTimeout(this.timer);
    if (this.source) this.connected(false);
    this.source?.close();
    this.source = undefined;
  }

  end(): void {
    document.removeEventListener("visibilitychange", this.seen);
    window.removeEventListener("offline", this.broken);
    window.removeEventListener("online", this.seen);
    this.close();
  }
}
