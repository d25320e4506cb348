package deliver

import "context"

// EventType is the type of the connections that are told of events.
const EventType = "webhook"

// Tell sends an event, a JSON object, to the web service of a webhook
// connection: signed like a delivery, and with the same Idempotency-Key in
// every attempt. Errors are *Error, or report.Problems for a connection that is
// wrong.
func Tell(ctx context.Context, env *Env, connection map[string]any, key string, event []byte) error {
	conn, problems := decode[webhookConnection](revealed(connection), "connection")
	if len(problems) > 0 {
		return problems
	}
	d := &delivery{env: env, key: key, tag: tagOf(key), scrub: newScrubber(&conn)}
	err := d.tell(ctx, &conn, event)
	if err == nil {
		return nil
	}
	told := *asError(ctx, err)
	told.Message = d.scrub.clean(told.Message)
	return &told
}

func (d *delivery) tell(ctx context.Context, conn *webhookConnection, event []byte) error {
	address, err := d.address(conn.Address.Reveal())
	if err != nil {
		return err
	}
	body := &hookBody{contentType: "application/json", head: event}
	if failure := d.request(ctx, conn, address, body, true, "quire-"+d.tag); failure != nil {
		return failure
	}
	return nil
}
