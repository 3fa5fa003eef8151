// Serves the transit engine of HashiCorp Vault over HTTP, as Vault itself does, from memory. Only tests use it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/hashicorp/vault/builtin/logical/transit"
	"github.com/hashicorp/vault/sdk/logical"
)

const prefix = "/v1/transit/"

var operations = map[string]logical.Operation{
	"GET":    logical.ReadOperation,
	"POST":   logical.UpdateOperation,
	"PUT":    logical.UpdateOperation,
	"DELETE": logical.DeleteOperation,
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: vault-transit TOKEN")
		os.Exit(2)
	}
	handler, err := serve(os.Args[1])
	exitOn(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	exitOn(err)
	fmt.Println(listener.Addr().String())
	exitOn(http.Serve(listener, handler))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(token string) (http.Handler, error) {
	ctx := context.Background()
	storage := &logical.InmemStorage{}
	backend, err := transit.Factory(ctx, &logical.BackendConfig{
		StorageView: storage,
		System:      logical.TestSystemView(),
		BackendUUID: "parley",
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/v1/auth/token/renew-self", func(w http.ResponseWriter, r *http.Request) {
		if isPermitted(w, r, token) {
			answer(w, http.StatusOK, map[string]any{"auth": map[string]any{"lease_duration": 3600}})
		}
	})
	mux.HandleFunc(prefix, func(w http.ResponseWriter, r *http.Request) {
		if !isPermitted(w, r, token) {
			return
		}
		data := map[string]any{}
		body, err := io.ReadAll(r.Body)
		if err == nil && len(body) > 0 {
			err = json.Unmarshal(body, &data)
		}
		if err != nil {
			refuse(w, http.StatusBadRequest, err.Error())
			return
		}
		response, err := backend.HandleRequest(ctx, &logical.Request{
			Operation: operations[r.Method],
			Path:      strings.TrimPrefix(r.URL.Path, prefix),
			Data:      data,
			Storage:   storage,
		})
		switch {
		case response != nil && response.IsError():
			refuse(w, http.StatusBadRequest, response.Error().Error())
		case err != nil:
			refuse(w, http.StatusBadRequest, err.Error())
		case response == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			answer(w, http.StatusOK, map[string]any{"data": response.Data})
		}
	})
	return mux, nil
}

func isPermitted(w http.ResponseWriter, r *http.Request, token string) bool {
	if r.Header.Get("X-Vault-Token") == token {
		return true
	}
	refuse(w, http.StatusForbidden, "permission denied")
	return false
}

func refuse(w http.ResponseWriter, status int, message string) {
	answer(w, status, map[string]any{"errors": []string{message}})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// Ignore the error: the client may have closed the connection.
	_ = json.NewEncoder(w).Encode(body)
}
