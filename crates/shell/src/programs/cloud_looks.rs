//! Ways in which the clients of clouds only look.
//!
//! A group is here where what it shows holds no credentials. Variables, start scripts and task definitions often do, so
//! that `lambda get-function`, `run services describe` and their like are not; what surely prints credentials stands
//! among the printers of the program, which count more than a form.

use super::form::{Form, Reaches, form};

const fn asks(path: &'static str, options: &'static str) -> Form {
    form(path, options).at_most(0).reaches(Reaches::Server)
}

/// Options of all commands, and those that choose what is listed. An operand would be a file that is written
/// (`s3api get-object KEY FILE`).
const AWS: &str = "region= profile= output= query= no-cli-pager no-paginate max-items= page-size= starting-token= color= \
    cli-read-timeout= cli-connect-timeout= filters= filter= max-results= next-token= no-sign-request \
    bucket= prefix= key= delimiter= instance-ids= image-ids= owners= group-ids= group-names= volume-ids= snapshot-ids= \
    vpc-ids= subnet-ids= names= name= name-prefix= stack-name= cluster= clusters= cluster-name= services= service= tasks= \
    nodegroup-name= db-instance-identifier= db-cluster-identifier= load-balancer-arns= load-balancer-arn= \
    target-group-arn= listener-arn= role-name= user-name= group-name= policy-arn= policy-name= version-id= policy-scope= \
    scope= only-attached log-group-name= log-group-name-prefix= log-stream-name= log-stream-name-prefix= \
    log-group-names= start-time= end-time= filter-pattern= limit= order-by= descending no-descending start-from-head \
    no-start-from-head namespace= metric-name= dimensions= statistics= period= unit= metric-data-queries= alarm-names= \
    repository-name= repository-names= image-ids= registry-id= hosted-zone-id= id= queue-url= queue-name= \
    queue-name-prefix= attribute-names= topic-arn= table-name= key-id= certificate-arn= auto-scaling-group-names= \
    distribution-id= secret-id= state-machine-arn= execution-arn= event-bus-name= rule= rest-api-id= api-id= \
    function-name= desired-status= launch-type= service-name= stack-status-filter= logical-resource-id= \
    all-regions no-all-regions zone-names= time-period= granularity= metrics= group-by= lookup-attributes= \
    trail-name-list= account-id= resource-arn= resource-arns= tag-filters= include-linked-accounts";

const AWS_LIST: &str = "region= profile= output= query= no-cli-pager recursive human-readable summarize page-size=";

/// AWS CLI Command Reference. The services and verbs of which the answer describes, and does not hand out.
pub(super) const AWS_LOOKS: &[Form] = &[
    asks("sts get-caller-identity", AWS),
    asks("configure list|list-profiles", "profile="),
    form("s3 ls", AWS_LIST).at_most(1).reaches(Reaches::Service),
    form("logs tail", "follow since= format= filter-pattern= region= profile= log-stream-names= color=")
        .at_most(1)
        .reaches(Reaches::Server),
    asks("s3api list-*|head-*|get-bucket-*|get-object-attributes|get-object-tagging|get-object-acl", AWS),
    // User data and console output hold what the machines start with.
    asks(
        "ec2 describe-instances|describe-instance-status|describe-instance-types|describe-images|describe-volumes|\
describe-snapshots|describe-vpcs|describe-subnets|describe-security-groups|describe-security-group-rules|describe-key-pairs|\
describe-addresses|describe-network-interfaces|describe-network-acls|describe-route-tables|describe-internet-gateways|\
describe-nat-gateways|describe-regions|describe-availability-zones|describe-tags|describe-vpc-endpoints|\
describe-vpc-peering-connections|describe-launch-templates|describe-spot-price-history|describe-hosts|\
describe-reserved-instances|describe-volume-status|describe-flow-logs|describe-transit-gateways|describe-account-attributes",
        AWS,
    ),
    asks(
        "iam list-*|get-user|get-role|get-group|get-policy|get-policy-version|get-role-policy|get-user-policy|\
get-group-policy|get-instance-profile|get-account-summary|get-account-password-policy|get-access-key-last-used",
        AWS,
    ),
    asks("logs describe-*|filter-log-events|get-log-events|list-*", AWS),
    asks("cloudwatch describe-*|get-metric-statistics|get-metric-data|list-*|get-dashboard", AWS),
    asks("cloudformation list-*|describe-stack-events|describe-stack-resources|describe-stack-resource", AWS),
    asks("ecr describe-*|list-*|get-lifecycle-policy|get-repository-policy", AWS),
    asks("ecs list-*|describe-clusters|describe-services", AWS),
    asks("eks list-*|describe-cluster|describe-nodegroup|describe-addon|describe-addon-versions", AWS),
    asks(
        "rds describe-db-instances|describe-db-clusters|describe-db-snapshots|describe-events|describe-db-engine-versions",
        AWS,
    ),
    asks("elbv2|elb describe-*", AWS),
    asks("route53 list-*|get-hosted-zone|get-health-check|get-change", AWS),
    asks("sqs list-queues|get-queue-attributes|get-queue-url|list-queue-tags", AWS),
    asks("sns list-*|get-topic-attributes", AWS),
    asks("dynamodb list-*|describe-*", AWS),
    asks("kms list-*|describe-key|get-key-policy|get-key-rotation-status|get-public-key", AWS),
    asks("acm list-*|describe-certificate", AWS),
    asks("autoscaling describe-auto-scaling-groups|describe-scaling-activities|describe-policies", AWS),
    asks("cloudtrail describe-trails|get-trail-status|lookup-events|list-*", AWS),
    asks("cloudfront list-*", AWS),
    asks("secretsmanager list-secrets|describe-secret", AWS),
    asks("stepfunctions list-*", AWS),
    asks("events list-*|describe-rule", AWS),
    asks("organizations list-*|describe-organization|describe-account", AWS),
    asks("ce get-cost-and-usage|get-cost-forecast|get-dimension-values", AWS),
    asks("resourcegroupstaggingapi get-resources|get-tag-keys|get-tag-values", AWS),
    asks(
        "lambda list-layers|list-event-source-mappings|list-versions-by-function|list-aliases|get-account-settings|get-policy",
        AWS,
    ),
];

/// Options of all commands of gcloud, and those that choose what is listed.
const GCLOUD: &str = "project= region= regions= zone= zones= location= global format= filter= limit= page-size= sort-by= uri \
    quiet q verbosity= account= configuration= cluster= instance= flatten= all-versions include-deleted show-deleted";

const fn lists(path: &'static str) -> Form {
    form(path, GCLOUD).reaches(Reaches::Server)
}

/// The reference of gcloud.
pub(super) const GCLOUD_LOOKS: &[Form] = &[
    form("version", "format=").at_most(0).reaches(Reaches::Server),
    form("info", "format= show-log run-diagnostics").at_most(0).reaches(Reaches::Server),
    lists("auth list"),
    lists("config list|get-value|get"),
    lists("config configurations list"),
    lists("projects list|describe"),
    lists("organizations list|describe"),
    lists("services list"),
    lists("components list"),
    lists("regions|zones list"),
    lists(
        "compute instances|disks|images|snapshots|networks|addresses|firewall-rules|regions|zones|machine-types|\
instance-groups|backend-services|forwarding-rules|health-checks|routers|routes|target-pools|url-maps list",
    ),
    lists(
        "compute disks|images|snapshots|networks|addresses|firewall-rules|regions|zones|machine-types|routers|routes describe",
    ),
    lists("compute networks subnets list|describe"),
    lists("container clusters|node-pools|images|operations list"),
    lists("container images list-tags|describe"),
    lists("run services|revisions|jobs|regions list"),
    lists("run services logs read"),
    lists("functions list"),
    lists("functions logs read"),
    lists("app services|versions|instances|regions list"),
    lists("sql instances|databases|operations|backups|tiers list"),
    lists("sql instances|databases|operations|backups describe"),
    lists("pubsub topics|subscriptions|snapshots list|describe"),
    lists("storage ls"),
    lists("storage buckets list|describe"),
    lists("iam roles|service-accounts list|describe"),
    lists("iam service-accounts keys list"),
    lists("secrets list|describe"),
    lists("secrets versions list|describe"),
    lists("artifacts repositories|packages|versions|tags list|describe"),
    lists("artifacts docker images list|describe"),
    lists("builds list"),
    lists("logging read"),
    lists("logging logs|sinks|metrics list"),
    lists("dns managed-zones list|describe"),
    lists("dns record-sets list"),
    lists("kms keyrings|locations list"),
    lists("scheduler jobs list"),
    lists("billing accounts list"),
    lists("deploy releases|rollouts|targets list"),
];

/// Options of all commands of Azure's client, and those that choose what is shown.
const AZ: &str = "o= output= query= only-show-errors subscription= g= resource-group= n= name= l= location= all d show-details \
    ids= top= include-stopped resource-type= tag= namespace= server= vnet-name= nsg-name= cluster-name= registry= repository= \
    account-name= auth-mode= container-name= c= vault-name= assignee= scope= role= start-time= end-time= max-events= offset= \
    organization= org= project= p= id= status= definition-ids= pipeline-ids= branch= repository-type= state=";

const fn shows(path: &'static str) -> Form {
    form(path, AZ).at_most(0).reaches(Reaches::Server)
}

/// The reference of the Azure CLI.
pub(super) const AZ_LOOKS: &[Form] = &[
    shows("version"),
    shows("account show|list|list-locations"),
    shows("account management-group list|show"),
    shows("cloud list|show"),
    shows("group list|show|exists"),
    shows("resource list|show"),
    shows("provider list|show"),
    shows("extension list|list-available|show"),
    shows("vm list|list-ip-addresses|list-sizes|list-skus|list-usage|get-instance-view"),
    shows("vmss list|list-instances"),
    shows("disk|snapshot|image list|show"),
    shows("network vnet|nsg|public-ip|nic|lb|route-table|private-endpoint list|show"),
    shows("network vnet subnet list|show"),
    shows("network nsg rule list|show"),
    shows("network dns zone list|show"),
    shows("network dns record-set list"),
    shows("aks list|get-versions"),
    shows("aks nodepool list|show"),
    shows("acr list|show|check-name"),
    shows("acr repository list|show|show-tags"),
    shows("webapp|functionapp list|list-runtimes"),
    shows("appservice plan list|show"),
    shows("staticwebapp list|show"),
    shows("storage account list|check-name"),
    shows("storage container list|exists"),
    shows("storage blob list|exists"),
    shows("keyvault list"),
    shows("keyvault secret|key|certificate list|list-versions"),
    shows("sql server|db list|show"),
    shows("postgres|mysql flexible-server list|show"),
    shows("cosmosdb list"),
    shows("redis list"),
    shows("ad signed-in-user show"),
    shows("ad user|group|sp|app list|show"),
    shows("role assignment|definition list"),
    shows("monitor activity-log list"),
    shows("monitor metrics list|list-definitions"),
    shows("deployment group|sub list"),
    shows("pipelines list|show"),
    shows("pipelines runs list|show"),
    shows("repos list|show"),
    shows("repos pr list|show"),
    shows("boards work-item show"),
    shows("devops project list|show"),
];
