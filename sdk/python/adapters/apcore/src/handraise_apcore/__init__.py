"""Handraise behind the approval gate of apcore (tried with apcore 0.32 and apcore-mcp 0.23).

.. code-block:: python

    executor = Executor(registry)
    install(executor, HandraiseApprovalHandler(pending=True))

``handraise_apcore.mcp`` has the approval store of apcore-mcp.
"""

from .approval import HandraiseApprovalGate, HandraiseApprovalHandler, install

__all__ = ["HandraiseApprovalGate", "HandraiseApprovalHandler", "install"]
