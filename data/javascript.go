package data

import "context"

var javascriptSource = define("javascript", "JavaScript", "A function of the other data, the parameters and the dictionary.", loadJavaScript)

type javascriptSettings struct {
	Function string `json:"function" label:"Function" editor:"code" required:"true" help:"A function that receives $data, $params and $dict and returns the result."`
}

func loadJavaScript(ctx context.Context, env *Env, s javascriptSettings) (any, error) {
	res, err := env.call(ctx, "settings.function", s.Function)
	if err != nil {
		return nil, err
	}
	return res.Values[0], nil
}
