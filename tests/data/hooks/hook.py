"""A hook in Python: hands the agent's message to Handraise, and the answer to the agent. For `make bench` only: it
asks no proof of the server, and does not deny when something fails."""

import http.client
import json
import sys

endpoint_file, token_file = sys.argv[1:]
with open(endpoint_file) as file:
    address = json.load(file)["address"]
with open(token_file) as file:
    token = file.read().strip()

connection = http.client.HTTPConnection(address)
headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
connection.request("POST", "/v1/hooks/claude-code?wait=590", sys.stdin.buffer.read(), headers)
sys.stdout.buffer.write(connection.getresponse().read())
