from .call import ToolCall
from .client import AsyncClient, Client
from .policy import ApprovalPolicy, ApprovalRule, AgentPolicy, RiskDefaults, InvalidPatternError
