package v1

import (
	"context"

	"github.com/quire-reports/quire/api/internal/access"
)

// Nonce is a fresh nonce.
type Nonce struct {
	Nonce string `json:"nonce" doc:"Good for one preview or download within 60 seconds."`
}

type nonceOutput struct{ Body Nonce }

// createNonce is endpoint 18.
func (s *service) createNonce(ctx context.Context, _ *struct{}) (*nonceOutput, error) {
	nonce, err := s.Store.CreateNonce(ctx, access.Of(ctx).User.ID)
	return &nonceOutput{Nonce{nonce}}, err
}
