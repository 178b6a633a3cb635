from .call import ToolCall
from .client import AsyncClient, Client
